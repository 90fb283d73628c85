import type { EndpointExamples } from '../endpoint/example.ts';

export const downloadsExamples = {
  downloads_get: {
    params: {
      link: 'mj9w2k5c.dXBsb2Fkcy9jb21wYXNz.Yk3uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg',
      file_name: 'compass-1.4.0.apk',
    },
  },
} satisfies EndpointExamples<typeof import('./downloads.contract.ts')>;
