export {
  blockDownloads,
  carryDownloads,
  deleteTakenFile,
  downloadLink,
  type LinkedFile,
  PACKED,
} from './download-links.ts';
export { cleanFileName } from './file-names.ts';
export { keyForSize, withPackedFiles } from './packed-files.ts';
export { type ByteRange, type Incoming, type Progress, readContentRange, receiveRange } from './pieces.ts';
export { uploadsFamily } from './uploads.family.ts';
export { uploadJobs } from './uploads.jobs.ts';
export { uploadRoutes } from './uploads.routes.ts';
export {
  beginUpload,
  cancelUpload,
  cancelUploadsBegunBy,
  defineUploadPurpose,
  findUpload,
  type NewUpload,
  roomLeft,
  takeUpload,
  type Upload,
  type UploadedFile,
  type UploadPurpose,
  uploadAddresses,
} from './uploads.ts';
