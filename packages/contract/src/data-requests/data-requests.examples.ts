import type { EndpointExamples } from '../endpoint/example.ts';

const exported = '0f0b7c1e-58d7-4a8e-9a51-6d1e5c1f2b30';
const deleted = 'c1d9e2a4-7b36-4f58-a1c2-9e8d7f6b5a40';
const createdAt = '2026-11-01T09:00:00.000Z';
const sasUrl =
  'https://mooring.example.com/files/mhg5xzk0.ZGF0YS1yZXF1ZXN0cy8.4Xc0bQ8p2nKf6dJt1sWv9yRz3aLh7mEg5oUi0xTqBcN/ada.zip';

export const dataRequestsExamples = {
  dataSubjectRight_exportRequest: { body: {}, response: { token: exported, createdAt } },
  dataSubjectRight_exportStatusRequest: {
    params: { token: exported },
    response: { status: 'Completed', message: 'The archive is ready.', sasUrl, sasUrlExpired: false },
  },
  dataSubjectRight_cancelExportRequest: {
    params: { token: exported },
    body: {},
    response: { token: exported, createdAt },
  },
  dataSubjectRight_deleteRequest: { body: {}, response: { token: deleted, createdAt } },
  dataSubjectRight_deleteStatusRequest: {
    params: { token: deleted },
    query: { email: 'ada@example.com' },
    response: {
      status: 'Created',
      message: 'The account will be deleted on 2026-11-29. Until then you can cancel it.',
    },
  },
  dataSubjectRight_cancelDeleteRequest: {
    params: { token: deleted },
    body: {},
    response: { token: deleted, createdAt },
  },
  dataRequests_list: {
    response: {
      values: [
        {
          token: exported,
          kind: 'export',
          status: 'Completed',
          message: 'The archive is ready.',
          sasUrl,
          sasUrlExpired: false,
          created_at: createdAt,
          expires_at: '2026-11-08T09:00:00.000Z',
        },
      ],
    },
  },
  sharedconnection_Connections: {
    response: [
      {
        id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5ea2',
        displayName: 'SHOP',
        serviceType: 'jira',
        credentialType: 'credentials',
        isValid: true,
      },
    ],
  },
} satisfies EndpointExamples<typeof import('./data-requests.contract.ts')>;
