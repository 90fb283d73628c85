import { endpoint, file } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { uploadsFamily } from './uploads.family.ts';

export const downloads_get = endpoint({
  id: 'downloads_get',
  method: 'GET',
  path: '/files/{link}/{file_name}',
  family: uploadsFamily,
  tag: 'uploads',
  summary: 'Downloads a file, whole or in part, by a link that was made for it and expires',
  description: 'If the operator says so, it answers 302 with an address of the store of files.',
  access: 'public',
  effect: 'read',
  params: Type.Object({
    link: Type.String({ minLength: 1, maxLength: 500 }),
    file_name: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  response: file({ description: 'The file.', types: ['application/'] }),
  errors: [404],
});
