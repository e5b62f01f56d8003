// Light or dark, as in a report: what was chosen there is kept.

const button = document.getElementById("theme");
const root = document.documentElement;
const darkness = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme || (darkness.matches ? "dark" : "light")) === "dark";
const kept = (value) => {
  try {
    if (value) localStorage.setItem("carom-theme", value);
    return localStorage.getItem("carom-theme");
  } catch {
    return null;
  }
};
const show = () => { button.textContent = isDark() ? "☀ Light" : "☾ Dark"; };
const chosen = kept();
if (chosen) root.dataset.theme = chosen;
button.hidden = false;
button.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  kept(root.dataset.theme);
  show();
});
darkness.addEventListener("change", show);
show();
