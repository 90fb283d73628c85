import { HealthEvents_Import } from '@mooring/contract';

const [JSON_TYPE = '', LINES_TYPE = ''] = HealthEvents_Import.request.types;

/** A file with the type that its name tells; browsers know some of them, and leave others out. */
export const withType = (file: File): Blob =>
  new Blob([file], { type: /\.(ndjson|jsonl)$/i.test(file.name) ? LINES_TYPE : JSON_TYPE });

export const acceptedFiles = ['.json', '.ndjson', '.jsonl', JSON_TYPE, LINES_TYPE].join();

const { maxBytes } = HealthEvents_Import.request;
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toLocaleString(undefined, { maximumFractionDigits: 1 });

/** Said before anything is sent: a file that is too large would break off in the middle. */
export const tooLarge = ({ size }: Pick<File, 'size'>): string | undefined =>
  size > maxBytes ? `It has ${megabytes(size)} MiB; at most ${megabytes(maxBytes)} MiB are taken.` : undefined;
