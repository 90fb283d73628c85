import { checksCredentials } from './check-credentials.js';

// As the console was told to look, or else the system; Swagger UI has a dark style but does not switch by itself.
const chosen = localStorage.getItem('mooring-color-scheme');
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () =>
  document.documentElement.classList.toggle('dark-mode', chosen === 'dark' || (chosen !== 'light' && dark.matches));
dark.addEventListener('change', follow);
follow();

/** The document with nothing but the part that is asked about, and the schemas that a path may refer to. */
const partOf = (document, path) => {
  const { schemas, securitySchemes } = document.components;
  const isPath = path[0] === 'paths';
  return {
    ...document,
    paths: isPath ? { [path[1]]: document.paths[path[1]] } : {},
    components: { ...(isPath || path[1] === 'schemas' ? { schemas } : {}), securitySchemes },
  };
};

/** Swagger UI follows every reference of the document for each part that it shows: many seconds, for this many paths. */
const resolvesParts = ({ fn: { resolveSubtree } }) => ({
  fn: { resolveSubtree: (document, path, options) => resolveSubtree(partOf(document, path), path, options) },
});

const page = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#specification',
  deepLinking: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The token is kept for this page only: a shared machine must not remember it.
  persistAuthorization: false,
  validatorUrl: null,
  oauth2RedirectUrl: `${location.origin}/docs/oauth2-redirect.html`,
  plugins: [resolvesParts, checksCredentials],
});
// The client that the server knows for this page.
page.initOAuth({ clientId: '5d0c6f2e-7a41-4c1b-9b57-1f0e4d3a8c20', scopes: 'user_impersonation' });

/** Says whom operations run as without a token: the browser sends the console's session along. */
async function nameReader() {
  const answer = await fetch('/v0.1/user');
  if (!answer.ok) return;
  const { display_name } = await answer.json();
  document.querySelector('#reader').textContent =
    `Signed in as ${display_name}: operations run as you. Authorize uses a token instead.`;
}
void nameReader();
