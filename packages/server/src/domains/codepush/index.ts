import { defineDomain } from '../../domain.ts';

export const codepush = defineDomain({});
