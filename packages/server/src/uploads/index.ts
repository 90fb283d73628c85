export {
  type ByteRange,
  type Incoming,
  type Progress,
  readContentRange,
  receiveFile as receiveWholeFile,
  receiveRange,
} from './chunks.ts';
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
export { uploadJobs } from './uploads.jobs.ts';
export { uploadRoutes } from './uploads.routes.ts';
export { uploadsSurface } from './uploads.surface.ts';
export {
  beginUpload,
  cancelUpload,
  cancelUploadsBegunBy,
  checkDiskSpace,
  defineUploadPurpose,
  findUpload,
  getFreeBytes,
  type NewUpload,
  takeUpload,
  type Upload,
  type UploadedFile,
  type UploadPurpose,
  uploadAddresses,
} from './uploads.ts';
