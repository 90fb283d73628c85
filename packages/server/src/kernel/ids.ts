import { randomUUIDv7 } from 'node:crypto';

/** Makes ids that sort by the time they were made. */
export type NewId = () => string;

export const newId: NewId = () => randomUUIDv7();
