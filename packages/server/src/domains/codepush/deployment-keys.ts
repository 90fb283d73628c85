import { Failure } from '../../kernel/errors.ts';

export const unknownKey = () =>
  new Failure('NotFound', 'No deployment has this key. It is shown on the page of the deployment.');

export const isKey = (key: string): boolean => /^[A-Za-z0-9_-]{10,100}$/.test(key);
