import { endpoint, file } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { uploadsSurface } from './uploads.surface.ts';

export const downloads_get = endpoint({
  id: 'downloads_get',
  method: 'GET',
  path: '/files/{link}/{file_name}',
  surface: uploadsSurface,
  tag: 'uploads',
  summary: 'Download a file, whole or in part, by a link that expires',
  description: 'Depending on the settings of the server, redirects with 302 to the blob store.',
  access: 'public',
  effect: 'read',
  params: Type.Object({
    link: Type.String({ minLength: 1, maxLength: 500 }),
    file_name: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  response: file({ description: 'The file.', types: ['application/'] }),
  errors: [404],
});
