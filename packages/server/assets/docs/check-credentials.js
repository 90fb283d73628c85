/** Harmless calls that show whether a credential works. A credential for other resources gets 403, an invalid one 401. */
const READ_USER = '/v0.1/user';
const READ_TOKENS = '/v0.1/api_tokens';
const LIST_SUBSCRIPTIONS = '/subscriptions?api-version=2024-02-01';

const basicHeader = ({ username = '', password = '' }) =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`;

const checks = {
  APIToken: (value) => [READ_USER, { 'X-API-Token': value }],
  Bearer: (value) => [
    // Access tokens of OAuth work for the service-health API only.
    value.startsWith('ey') ? LIST_SUBSCRIPTIONS : READ_USER,
    { Authorization: `Bearer ${value}` },
  ],
  Basic: (value) => [READ_TOKENS, { Authorization: basicHeader(value) }],
};

const isEmpty = (value) => !value || (typeof value === 'object' && !value.username && !value.password);

/** Why a credential cannot be used; nothing if it works. */
async function problemWith(name, value) {
  if (name === 'Session') return 'A page cannot send this cookie. Sign in to the console; operations then run as you.';
  if (isEmpty(value)) return 'Enter a value first.';
  const check = checks[name];
  if (!check) return undefined;
  try {
    const [url, headers] = check(typeof value === 'string' ? value.trim() : value);
    const { status } = await fetch(url, { headers, credentials: 'omit', cache: 'no-store' });
    if (status === 200 || status === 403) return undefined;
    if (status === 401) {
      return name === 'Basic'
        ? 'The name or the password is wrong.'
        : 'The server does not accept this token. It may be mistyped, expired or deleted; create another one.';
    }
    return `The credentials could not be checked: the server responded with ${status}. Try again.`;
  } catch {
    return 'The credentials could not be checked: no answer, or a value that no header can carry. Try again.';
  }
}

/** Lets Swagger UI show "Authorized" only for credentials that the server accepts, and says why otherwise. */
export const checksCredentials = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (authorize, { errActions }) =>
          async (payload) => {
            const accepted = {};
            for (const [name, entry] of Object.entries(payload)) {
              errActions.clear({ authId: name, type: 'auth' });
              const message = await problemWith(name, entry.value);
              if (message) errActions.newAuthErr({ authId: name, source: 'Not authorized.', level: '', message });
              else accepted[name] = entry;
            }
            return Object.keys(accepted).length > 0 ? authorize(accepted) : undefined;
          },
      },
    },
  },
});
