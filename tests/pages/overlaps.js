[...document.querySelectorAll(".chart svg")].filter((one) => one.clientWidth).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const around = svg.closest("figure").getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")]
    .filter((one) => one.textContent && +getComputedStyle(one).opacity)
    .map((one) => [one.textContent, one.getBoundingClientRect()]);
  const cut = ([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return [
    ...boxes.filter(cut).map(([words]) => `cut: ${words}`),
    ...boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([, b]) => meet(a, b)).map(([other]) => `${one} on ${other}`)),
    ...(frame.right > around.right + 1 ? ["a chart leaves its frame"] : []),
  ];
});
