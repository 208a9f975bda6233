// The reference at /docs: Swagger UI over the document of the listener the page came from.

const reference = document.getElementById('reference');
const darkness = matchMedia('(prefers-color-scheme: dark)');

/** Requests go where the page came from, whatever proxy is between. */
async function loadDocument() {
  const reply = await fetch(reference.dataset.document);
  if (!reply.ok) throw new Error(`${reference.dataset.document} answered ${reply.status}`);
  const spec = await reply.json();
  return { ...spec, servers: [{ url: new URL(reference.dataset.endpoints, location.href).href }] };
}

function followColours() {
  document.documentElement.classList.toggle('dark-mode', darkness.matches);
}

async function show() {
  followColours();
  darkness.addEventListener('change', followColours);
  window.SwaggerUIBundle({
    spec: await loadDocument(),
    domNode: reference,
    layout: 'BaseLayout',
    deepLinking: true,
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // A key is gone with the page.
    persistAuthorization: false,
    // Nothing is sent to anybody else.
    validatorUrl: null,
    queryConfigEnabled: false,
  });
}

show().catch((error) => {
  reference.textContent = `The reference could not be shown: ${error.message}`;
});
