import { HealthEvents_Import } from '@mooring/contract';

const [JSON_TYPE = '', LINES_TYPE = ''] = HealthEvents_Import.request.types;

/** A file with the content type of its extension: browsers don't know all of them. */
export const withType = (file: File): Blob =>
  new Blob([file], { type: /\.(ndjson|jsonl)$/i.test(file.name) ? LINES_TYPE : JSON_TYPE });

export const acceptedFiles = ['.json', '.ndjson', '.jsonl', JSON_TYPE, LINES_TYPE].join();

const { maxBytes } = HealthEvents_Import.request;
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toLocaleString(undefined, { maximumFractionDigits: 1 });

/** Checked before the upload: an oversized file would be cut off. */
export const tooLarge = ({ size }: Pick<File, 'size'>): string | undefined =>
  size > maxBytes ? `The file is ${megabytes(size)} MB. The maximum is ${megabytes(maxBytes)} MB.` : undefined;
