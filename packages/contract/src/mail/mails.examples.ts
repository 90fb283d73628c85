import type { EndpointExamples } from '../endpoint/example.ts';

export const mailsExamples = {
  adminMails_list: {
    query: { search: 'grace', limit: 1 },
    response: {
      values: [
        {
          id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e47',
          to: 'grace@example.com',
          subject: 'Ada Lovelace invites you to Lighthouse',
          text: 'Ada Lovelace invites you to the organization Lighthouse on Mooring.\n\n(link)',
          has_link: false,
          created_at: '2026-11-01T09:00:00.000Z',
          sent_at: '2026-11-01T09:00:01.000Z',
        },
      ],
    },
  },
  adminMails_revealLink: {
    params: { mail_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e47' },
    body: {},
    response: { link: 'https://mooring.example.com/invitations/org/q4Wn8RzYb2KfXs6Tj0LcVd9Ph3MgAu7EoBi1QtNxHyC' },
  },
} satisfies EndpointExamples<typeof import('./mails.contract.ts')>;
