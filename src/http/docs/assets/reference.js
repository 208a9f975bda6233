// The reference at /docs: Swagger UI with the OpenAPI document of this listener.

const reference = document.getElementById('reference');
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** Sends requests to the host of the page, so that they also work behind a proxy. */
async function loadDocument() {
  const reply = await fetch(reference.dataset.document);
  if (!reply.ok) throw new Error(`${reference.dataset.document} answered ${reply.status}`);
  const spec = await reply.json();
  return { ...spec, servers: [{ url: new URL(reference.dataset.endpoints, location.href).href }] };
}

function applyColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
}

async function show() {
  applyColorScheme();
  darkScheme.addEventListener('change', applyColorScheme);
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
    // The page forgets the key when it closes.
    persistAuthorization: false,
    // Does not send the document to Swagger's public validator.
    validatorUrl: null,
    queryConfigEnabled: false,
  });
}

show().catch((error) => {
  reference.textContent = `The reference could not be shown: ${error.message}`;
});
