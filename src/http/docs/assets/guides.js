// The guides: a copy button on each block of code, and a search in all guides of this listener.

const form = document.querySelector('.search');
const field = form.querySelector('input');
const found = form.querySelector('.found');
const list = form.querySelector('ol');
const MAX_RESULTS = 10;

let loading;

/** Loads the search index when a reader starts to search. */
function searchIndex() {
  loading ??= loadSearchIndex().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadSearchIndex() {
  const reply = await fetch(`${form.dataset.guides}search.json`);
  if (!reply.ok) throw new Error(`the search answered ${reply.status}`);
  const search = new window.MiniSearch({
    fields: ['heading', 'title', 'text'],
    storeFields: ['title', 'heading'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  search.addAll(await reply.json());
  return search;
}

async function show() {
  const words = field.value.trim();
  const hits = words === '' ? [] : (await searchIndex()).search(words);
  // The reader has typed more while the index loaded.
  if (words !== field.value.trim()) return;
  list.replaceChildren(...hits.slice(0, MAX_RESULTS).map(entry));
  found.textContent = words === '' ? '' : `${hits.length === 1 ? '1 section' : `${hits.length} sections`} found`;
}

function entry({ id, title, heading }) {
  const link = document.createElement('a');
  link.href = form.dataset.guides + id;
  link.textContent = title === heading ? title : `${title}: ${heading}`;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

field.addEventListener('input', () => {
  show().catch((error) => {
    found.textContent = `The search failed: ${error.message}`;
  });
});
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;

function addCopyButton(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent).then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Not copied';
      },
    );
  });
  button.addEventListener('blur', () => {
    button.textContent = 'Copy';
  });
  const box = document.createElement('div');
  box.className = 'code';
  block.replaceWith(box);
  box.append(block, button);
}

// Browsers offer the clipboard only to pages served over https or from this machine.
if (window.isSecureContext) document.querySelectorAll('main pre').forEach(addCopyButton);
