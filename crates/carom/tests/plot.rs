//! Does a chart survive every input, and say what it shows?
#![cfg(feature = "plot")]

use carom::report::plot::{Axis, Chart, Panel, PlotError, Stack};

fn chart(panel: Panel) -> Chart {
    Chart::new("A chart").stack(Stack::new(Axis::new("time", "s")).panel(panel))
}

fn panel() -> Panel {
    Panel::new(Axis::new("force", "N"))
}

/// How often a text stands in another.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn an_svg_names_title_axes_with_units_and_series() {
    let svg = chart(
        panel()
            .line("spring", [(0.0, 0.0), (1e-4, 2e4)])
            .points("peak", [(1e-4, 2e4)])
            .verticals("separation", [9e-5]),
    )
    .svg()
    .unwrap();
    for text in [
        "A chart",
        "time [µs]",
        "force [kN]",
        "spring",
        "peak",
        "separation",
    ] {
        assert_eq!(count(&svg, &format!(">{text}<")), 1, "{text}\n{svg}");
    }
}

#[test]
fn panels_of_a_stack_share_one_horizontal_axis() {
    let one = || panel().line("a", [(0.0, 0.0), (1.0, 1.0)]);
    let stacked = Chart::new("t")
        .stack(
            Stack::new(Axis::new("time", "s"))
                .panel(one())
                .panel(panel().line("b", [(0.0, 0.0), (4.0, 1.0)])),
        )
        .stack(Stack::new(Axis::new("indentation", "m")).panel(one()))
        .svg()
        .unwrap();
    assert_eq!(count(&stacked, ">time [s]<"), 1);
    assert_eq!(count(&stacked, ">indentation [m]<"), 1);
    assert_eq!(count(&stacked, ">force [N]<"), 3);
}

/// Such a panel came out blank once.
#[test]
fn a_panel_of_verticals_alone_is_drawn() {
    let svg = chart(
        panel()
            .verticals("touch", [0.25, 0.5])
            .verticals("end", [1.0]),
    )
    .svg()
    .unwrap();
    for text in ["force [N]", "time [s]", "touch", "end"] {
        assert_eq!(count(&svg, &format!(">{text}<")), 1, "{text}\n{svg}");
    }
    // Three markers and two rows of the legend.
    assert_eq!(count(&svg, "stroke=\"#666666\""), 5, "{svg}");
}

#[test]
fn points_that_are_not_finite_break_the_line() {
    let dashless = |points: &[(f64, f64)]| {
        let svg = chart(panel().line("a", points.iter().copied()))
            .svg()
            .unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        count(&svg, "stroke-width=\"1.6\"")
    };
    assert_eq!(
        dashless(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 1.0)]),
        1
    );
    for gap in [(NAN, 0.0), (1.5, NAN), (1.5, INF), (-INF, 0.0)] {
        let points = [(0.0, 0.0), (1.0, 1.0), gap, (2.0, 0.0), (3.0, 1.0)];
        assert_eq!(dashless(&points), 2, "{gap:?}");
    }
}

#[test]
fn a_lone_point_is_drawn_as_a_dot() {
    let circles = |points: &[(f64, f64)]| {
        let svg = chart(panel().line("a", points.iter().copied()))
            .svg()
            .unwrap();
        count(&svg, "<circle")
    };
    assert_eq!(circles(&[(0.0, 0.0), (1.0, 1.0)]), 0);
    assert_eq!(circles(&[(3.0, 5.0)]), 1);
    assert_eq!(
        circles(&[(0.0, 0.0), (1.0, 1.0), (NAN, NAN), (2.0, 2.0), (NAN, NAN)]),
        1
    );
}

#[test]
fn nothing_to_draw_is_an_error_that_says_where() {
    assert!(matches!(Chart::new("t").svg(), Err(PlotError::NoPanel)));
    assert!(matches!(
        Chart::new("t").stack(Stack::new(Axis::new("x", ""))).png(),
        Err(PlotError::NoPanel)
    ));
    assert!(matches!(
        chart(panel()).svg(),
        Err(PlotError::EmptyPanel { panel: 1 })
    ));
    for points in [vec![], vec![(NAN, 0.0), (0.0, INF)]] {
        let n = points.len();
        let error = chart(panel().points("good", [(0.0, 0.0)]).line("bad", points))
            .svg()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("series `bad` of panel 1 has no finite point to draw (of {n})")
        );
    }
}

#[test]
fn any_finite_numbers_and_any_text_can_be_drawn() {
    let hard = [0.0, 5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e300, f64::MAX];
    for a in hard {
        for b in hard {
            let svg = chart(panel().line("a", [(a, b), (b, -a)]).verticals("v", [a]))
                .svg()
                .unwrap();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{a:e} {b:e}");
        }
    }
    for text in [
        "",
        "<&>\"'",
        "$x^2",
        "\u{0}\n\t\u{1b}",
        "\u{1F3B1}é漢",
        &"long ".repeat(2000),
    ] {
        let all = Chart::new(text).stack(
            Stack::new(Axis::new(text, text)).panel(
                Panel::new(Axis::new(text, text))
                    .line(text, [(0.0, 1.0), (1.0, 2.0)])
                    .points(text, [(0.0, 1.0)]),
            ),
        );
        let svg = all.svg().unwrap();
        assert!(
            !svg.contains('\u{1b}') && !svg.contains("<&>"),
            "{text:?} is escaped"
        );
    }
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let make = || {
        chart(
            panel()
                .line("a", (0..100).map(|i| (f64::from(i), f64::from(i * i))))
                .line("b", (0..100).map(|i| (f64::from(i), f64::from(i)))),
        )
    };
    assert_eq!(make().svg().unwrap(), make().svg().unwrap());
    assert_eq!(make().png().unwrap(), make().png().unwrap());
}

#[test]
fn what_nobody_can_see_is_not_written() {
    let size = |n: u32| {
        let line = (0..=n).map(|i| {
            let x = f64::from(i) / f64::from(n);
            (x, x * x)
        });
        chart(panel().line("a", line)).svg().unwrap().len()
    };
    assert!(size(1_000_000) < 2 * size(10_000), "{}", size(1_000_000));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let chart = chart(panel().line("a", [(0.0, 0.0), (1.0, 1.0)]));
    let path = std::env::temp_dir().join("carom-no-such-folder/chart.png");
    let error = chart.write_png(&path).unwrap_err();
    assert!(matches!(&error, PlotError::Write { path: named, .. } if *named == path));
    assert!(error.to_string().contains("carom-no-such-folder"));
    let error = chart.write_svg(&path).unwrap_err();
    assert!(error.to_string().contains("chart.png"));
}

#[test]
fn a_png_has_the_signature_of_one() {
    let png = chart(panel().line("a", [(0.0, 0.0), (1.0, 1.0)]))
        .png()
        .unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
}

#[test]
fn a_line_too_short_to_be_seen_is_drawn_as_a_dot() {
    let long = [(0.0, 0.0), (1.0, 1.0)];
    let svg = chart(
        panel()
            .line("long", long)
            .line("short", [(0.5, 0.5), (0.5 + 1e-6, 0.5)]),
    )
    .svg()
    .unwrap();
    assert_eq!(count(&svg, "<circle"), 1, "{svg}");
}

#[test]
fn a_reference_is_grey_and_behind_the_data() {
    let line = [(0.0, 0.0), (1.0, 1.0)];
    let svg = chart(panel().line("data", line).reference("elastic", line))
        .svg()
        .unwrap();
    let (grey, blue) = (svg.find("#b0b0b0").unwrap(), svg.find("#0072b2").unwrap());
    assert!(grey < blue, "{svg}");
    assert_eq!(count(&svg, ">elastic<"), 1);
}

#[test]
fn a_logarithmic_axis_has_powers_of_ten_and_gaps_where_there_is_no_logarithm() {
    let log = |points: Vec<(f64, f64)>| {
        Chart::new("t").stack(
            Stack::new(Axis::new("speed", "m/s").logarithmic())
                .panel(Panel::new(Axis::new("e", "")).line("a", points)),
        )
    };
    let svg = log(vec![
        (1e-5, 0.1),
        (0.0, 0.2),
        (-1.0, 0.2),
        (0.1, 0.5),
        (100.0, 0.9),
    ])
    .svg()
    .unwrap();
    for tick in ["10⁻⁵", "0.1", "100"] {
        assert!(svg.contains(&format!(">{tick}<")), "{tick}\n{svg}");
    }
    assert!(svg.contains(">speed [m/s]<") && !svg.contains("NaN") && !svg.contains("inf"));
    assert!(matches!(
        log(vec![(0.0, 1.0), (-1.0, 2.0)]).svg(),
        Err(PlotError::EmptySeries { .. })
    ));
    for hard in [[5e-324, f64::MAX], [1.0, 1.0], [3.0, 4.0]] {
        let svg = log(hard.iter().map(|x| (*x, 1.0)).collect()).svg().unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{hard:?}");
    }
}

#[test]
fn a_list_names_its_rows() {
    let names = ["flores", "hertz", "yu"].map(String::from);
    let svg = chart(
        Panel::new(Axis::list("", names)).points("e", [(0.7, 0.0), (1.0, -1.0), (0.8, -2.0)]),
    )
    .svg()
    .unwrap();
    for name in ["flores", "hertz", "yu"] {
        assert_eq!(count(&svg, &format!(">{name}<")), 1, "{name}\n{svg}");
    }
}

#[test]
fn a_unit_is_never_broken_and_a_dot_over_a_letter_is_written_out() {
    let long = Axis::new(
        "a rather long name of what is measured here",
        "10³ N/m^1.5 s",
    );
    let svg = chart(Panel::new(long).line("δ\u{307}", [(0.0, 0.0), (1.0, 1.0)]))
        .svg()
        .unwrap();
    assert!(svg.contains("[10³ N/m^1.5 s]"), "{svg}");
    assert!(svg.contains(">dδ/dt<"), "{svg}");
}

#[test]
fn the_numbers_of_a_picture_are_given_as_csv() {
    let csv = chart(
        panel()
            .line("a \"b\"", [(0.25, 1e-9), (f64::NAN, 2.0)])
            .verticals("v", [3.0]),
    )
    .csv();
    assert_eq!(
        csv,
        "panel,series,x,y\n\"force [N] over time [s]\",\"a \"\"b\"\"\",0.25,0.000000001\n\
         \"force [N] over time [s]\",\"a \"\"b\"\"\",NaN,2\n\"force [N] over time [s]\",\"v\",3,\n"
    );
}

#[test]
fn eight_lines_have_eight_colours() {
    let lines = (0..8).fold(panel(), |panel, k| {
        let y = f64::from(k);
        panel.line(format!("line {k}"), [(0.0, y), (1.0, y + 1.0)])
    });
    let svg = chart(lines).svg().unwrap();
    // Black is the colour of axes, too.
    let known = [
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#882255",
    ];
    for colour in known {
        let stroke = format!("stroke=\"{colour}\"").to_lowercase();
        assert!(svg.to_lowercase().contains(&stroke), "{colour}");
    }
}
