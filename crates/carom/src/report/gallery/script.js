// Which claims the table shows. Without this script it shows all.
(() => {
  const group = document.querySelector('.filter');
  const table = document.querySelector('table.claims');
  if (!group || !table) return;
  group.hidden = false;
  group.addEventListener('click', (event) => {
    const chosen = event.target.closest('button');
    if (!chosen) return;
    table.dataset.show = chosen.dataset.show;
    for (const button of group.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button === chosen));
    }
  });
})();
