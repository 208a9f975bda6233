// The reference at /docs: Swagger UI with the OpenAPI document of this listener.

const reference = document.getElementById('reference');
const KEY_HEADER = 'Idempotency-Key';
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

/** Sends requests to the host of the page, so that they also work behind a proxy. */
async function loadDocument() {
  const reply = await fetch(reference.dataset.document);
  if (!reply.ok) throw new Error(`${reference.dataset.document} answered ${reply.status}`);
  const spec = await reply.json();
  return { ...spec, servers: [{ url: new URL(reference.dataset.endpoints, location.href).href }] };
}

/**
 * Empties all fields of headers: a fixed key would return the last order, and a fixed ETag could hide a change. Returns a function that adds a
 * new key to each request that needs one and has none.
 */
function emptyHeaders({ components, paths }) {
  const keyed = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      for (const parameter of parameters.filter((one) => one.in === 'header')) {
        delete parameter.example;
        if (parameter.name !== KEY_HEADER) continue;
        parameter.required = false;
        parameter.description += ' Leave this empty to send a new random key with each request.';
        keyed.push({ method: method.toUpperCase(), path: new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}$`) });
      }
    }
  }
  for (const parameter of Object.values(components.parameters ?? {})) delete parameter.example;
  return (request) => {
    const needsKey = keyed.some(({ method, path }) => method === request.method && path.test(request.url));
    if (needsKey) request.headers[KEY_HEADER] ??= randomKey();
    return request;
  };
}

/** `crypto.randomUUID` is missing on pages over plain http. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

function applyColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
}

/** Draws all operations, because a browser finds and prints only what is drawn. Swagger UI draws those in view if there are more than 150. */
const allOperations = ({ React: { createElement } }) => ({
  components: {
    operations: ({ specSelectors, getComponent, ...of }) => {
      const methods = specSelectors.validOperationMethods();
      const drawOperation = (op, tag) => {
        const [path, method, specPath] = ['path', 'method', 'specPath'].map((name) => op.get(name));
        return createElement(getComponent('OperationContainer', true), { key: `${path} ${method}`, specPath, op, path, method, tag });
      };
      const drawTag = (tagObj, tag) => {
        const operations = tagObj.get('operations').filter((op) => methods.includes(op.get('method')));
        const content = createElement(
          'div',
          { className: 'operation-tag-content' },
          operations.map((op) => drawOperation(op, tag)).toArray(),
        );
        return createElement(
          getComponent('OperationTag'),
          { ...of, key: tag, tagObj, tag, getComponent, specUrl: specSelectors.url() },
          content,
        );
      };
      return createElement('div', null, specSelectors.taggedOperations().map(drawTag).valueSeq().toArray());
    },
  },
});

async function show() {
  applyColorScheme();
  darkScheme.addEventListener('change', applyColorScheme);
  const spec = await loadDocument();
  window.SwaggerUIBundle({
    spec,
    requestInterceptor: emptyHeaders(spec),
    domNode: reference,
    layout: 'BaseLayout',
    plugins: [allOperations],
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
