// In which order is the page put together?

function begin() {
  setUpLook();
  setUpHead();
  setUpAdvice();
  const filmed = setUpFilm();
  setUpFacts();
  setUpHistories();
  setUpInstant();
  setUpTable();
  setUpEnergy();
  setUpMotion();
  setUpReactions();
  setUpSolver();
  setUpBelieved();
  setUpLaws();
  setUpModel();
  setUpContents();
  if (!filmed) byId("film").classList.add("still");
  addEventListener("resize", () => changed("size", "window"));
  changed("time", "window", "theme", "size");
  document.documentElement.dataset.ready = "";
  // Some people are made ill by what moves without being asked.
  if (filmed && !timeless && !still.matches) play();
}

begin();
