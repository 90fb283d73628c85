// Follows the reader's colour scheme; Swagger UI has a dark style but does not switch by itself.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const page = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#specification',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The token is kept for this page only: a shared machine must not remember it.
  persistAuthorization: false,
  validatorUrl: null,
  oauth2RedirectUrl: `${location.origin}/docs/oauth2-redirect.html`,
});
// The client that the server knows for this page.
page.initOAuth({ clientId: '5d0c6f2e-7a41-4c1b-9b57-1f0e4d3a8c20', scopes: 'user_impersonation' });
