//! How does the table become a Parquet file: a column a channel, units beside them?

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use ::parquet::basic::{Compression, Repetition, Type as Physical};
use ::parquet::data_type::DoubleType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;
use serde_json::{Map, Value};

use crate::results::trajectory::{Column, Reader};

/// Numbers in a group of rows, all columns together: 32 MB of them.
const GROUP: usize = 4 << 20;

/// Reads a table and writes it as Parquet: columns `t`, `slider.x`, … of 64-bit numbers, compressed with Snappy; the key-value metadata `units` is a JSON object of name and unit.
///
/// The same table gives the same bytes.
pub fn write(table: impl BufRead, out: impl Write + Send) -> io::Result<()> {
    let mut table = Reader::new(table)?;
    let width = table.columns().len();
    let mut writer = begin(out, table.columns())?;
    let mut gathered = vec![Vec::new(); width];
    let mut rows = 0;
    while let Some(values) = table.row()? {
        for (column, value) in gathered.iter_mut().zip(values) {
            column.push(*value);
        }
        rows += 1;
        if rows * width >= GROUP {
            group(&mut writer, &mut gathered)?;
            rows = 0;
        }
    }
    if rows > 0 {
        group(&mut writer, &mut gathered)?;
    }
    writer.close().map_err(failed)?;
    Ok(())
}

fn begin<W: Write + Send>(out: W, columns: &[Column]) -> io::Result<SerializedFileWriter<W>> {
    let mut fields = Vec::with_capacity(columns.len());
    let mut units = Map::new();
    for column in columns {
        let field = Type::primitive_type_builder(&column.name, Physical::DOUBLE)
            .with_repetition(Repetition::REQUIRED)
            .build()
            .map_err(failed)?;
        fields.push(Arc::new(field));
        units.insert(column.name.clone(), Value::from(column.unit.as_str()));
    }
    let schema = Type::group_type_builder("trajectory")
        .with_fields(fields)
        .build()
        .map_err(failed)?;
    let units = KeyValue::new("units".into(), Value::Object(units).to_string());
    let properties = WriterProperties::builder()
        .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
        .set_key_value_metadata(Some(vec![units]))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .build();
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)
}

/// Writes a group of rows and forgets them.
fn group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &mut [Vec<f64>],
) -> io::Result<()> {
    let mut group = writer.next_row_group().map_err(failed)?;
    for column in columns {
        let Some(mut place) = group.next_column().map_err(failed)? else {
            break;
        };
        place
            .typed::<DoubleType>()
            .write_batch(column, None, None)
            .map_err(failed)?;
        place.close().map_err(failed)?;
        column.clear();
    }
    group.close().map_err(failed)?;
    Ok(())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    #[test]
    fn the_file_has_the_numbers_of_the_table_and_its_units() {
        let table = "t [s],rod.x [m],joint.pin.moment [N m]\n0,0.1,-2e-9\n0.5,NaN,3\n";
        let mut bytes = Vec::new();
        write(table.as_bytes(), &mut bytes).expect("it is written");
        let mut again = Vec::new();
        write(table.as_bytes(), &mut again).expect("it is written");
        assert_eq!(bytes, again);

        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("it opens");
        let meta = reader.metadata().file_metadata();
        let units = &meta.key_value_metadata().expect("there is metadata")[0];
        assert_eq!(units.key, "units");
        assert_eq!(
            units.value.as_deref(),
            Some(r#"{"t":"s","rod.x":"m","joint.pin.moment":"N m"}"#)
        );
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .expect("it has rows")
            .map(|row| row.expect("the row is readable"))
            .collect();
        assert_eq!(rows.len(), 2);
        let value = |row: usize, column| rows[row].get_double(column).expect("a number");
        assert_eq!(value(0, 1), 0.1);
        assert_eq!(value(0, 2), -2e-9);
        assert_eq!(value(1, 0), 0.5);
        assert!(value(1, 1).is_nan());
    }

    #[test]
    fn a_table_without_lines_is_a_file_without_rows() {
        let mut bytes = Vec::new();
        write("t [s],rod.x [m]\n".as_bytes(), &mut bytes).expect("it is written");
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("it opens");
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
