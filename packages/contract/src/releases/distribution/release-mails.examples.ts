import type { EndpointExamples } from '../../endpoint/example.ts';

const token = 'Zk3uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg.unsubscribe';

export const releaseMailsExamples = {
  releaseMails_get: { response: { is_wanted: true } },
  releaseMails_set: {
    body: { is_wanted: false },
    response: {
      is_wanted: false,
      unsubscribe_url: `https://mooring.example.com/v0.1/public/release_mails/unsubscribe?token=${token}`,
    },
  },
  releaseMails_askToUnsubscribe: { query: { token } },
  releaseMails_unsubscribe: {
    query: { token },
    body: { 'List-Unsubscribe': 'One-Click' },
  },
} satisfies EndpointExamples<typeof import('./release-mails.contract.ts')>;
