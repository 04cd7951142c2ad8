/** What the page of an evaluation does: its list of tasks is filtered by words, by variant, and by what failed. */

/** Runs in a browser, as it is. It hides and shows what the page holds. */
export const script = `
const words = document.querySelector('#filter-words');
const variant = document.querySelector('#filter-variant');
const failures = document.querySelector('#filter-failures');
const count = document.querySelector('#filter-count');
const tasks = [...document.querySelectorAll('.task')].map(element => ({
  element,
  text: element.dataset.text,
  failed: element.dataset.failed.split(' ').filter(Boolean),
  asked: [...element.querySelectorAll('.asked')],
}));

function filter() {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const one = variant.value;
  let shown = 0;
  for (const { element, text, failed, asked } of tasks) {
    const failing = one === '' ? failed.length > 0 : failed.includes(one);
    element.hidden = !wanted.every(word => text.includes(word)) || (failures.checked && !failing);
    if (!element.hidden) shown++;
    for (const part of asked) part.hidden = one !== '' && part.dataset.variant !== one;
  }
  count.textContent = shown + ' of ' + tasks.length + ' tasks';
}

for (const control of [words, variant, failures]) control.addEventListener('input', filter);
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /INPUT|SELECT/.test(event.target.tagName)) return;
  event.preventDefault();
  words.focus();
});
document.querySelector('#filters').hidden = false;
filter();
`;
