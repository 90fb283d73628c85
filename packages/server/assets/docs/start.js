// Follows the reader's colour scheme; Swagger UI has a dark style but does not switch by itself.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#specification',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The token is kept for this page only: a shared machine must not remember it.
  persistAuthorization: false,
  validatorUrl: null,
});
