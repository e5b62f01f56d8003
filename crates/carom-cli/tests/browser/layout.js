// Does anything overlap, or stick out? Answers with a list of what does.
(() => {
  const found = [];
  const name = (node) => node.tagName.toLowerCase() + (node.id ? `#${node.id}` : "") + (node.className && typeof node.className === "string" ? "." + node.className.split(" ").join(".") : "") + ` "${(node.textContent || "").trim().slice(0, 30)}"`;
  const seen = (node) => node.checkVisibility() && node.getBoundingClientRect().width > 0 && node.getBoundingClientRect().height > 0;
  const apart = (nodes, what) => {
    const all = nodes.filter(seen).map((node) => [node, node.getBoundingClientRect()]);
    for (let i = 0; i < all.length; i++) {
      for (let j = i + 1; j < all.length; j++) {
        const [[a, p], [b, q]] = [all[i], all[j]];
        if (a.contains(b) || b.contains(a)) continue;
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const tall = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 1.5 && tall > 1.5) found.push(`${what}: ${name(a)} and ${name(b)} overlap by ${wide.toFixed(0)} × ${tall.toFixed(0)}`);
      }
    }
  };
  apart([...document.querySelectorAll(".box, h2, .hint")].filter((node) => !node.classList.contains("unseen")), "boxes");
  for (const bar of document.querySelectorAll(".bar, .legend, figcaption, .facts, #contents, .head, #advice, .tiles, .notice, .film-words")) apart([...bar.children], name(bar));
  for (const row of document.querySelectorAll("#episodes tr")) apart([...row.children], "row");

  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide, not ${wide}`);
  for (const node of document.body.querySelectorAll("*")) {
    if (!seen(node) || node.closest(".unseen, .skip, option, optgroup, svg")) continue;
    const r = node.getBoundingClientRect();
    if (r.left < -0.5 || r.right > wide + 0.5) found.push(`${name(node)} sticks out: ${r.left.toFixed(0)} to ${r.right.toFixed(0)} of ${wide}`);
    const style = getComputedStyle(node);
    const clipped = node.scrollWidth > node.clientWidth + 1 && style.overflowX !== "visible" && !node.matches("select, input, canvas");
    if (clipped && node.clientWidth > 0) found.push(`${name(node)} is cut off: ${node.scrollWidth} in ${node.clientWidth}`);
    const spills = node.matches(".box, .notice, .fact, button, th, td, dt, dd") && node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1;
    if (spills && !clipped) found.push(`${name(node)} spills: ${node.scrollWidth} in ${node.clientWidth}`);
  }
  return found.slice(0, 12);
})()
