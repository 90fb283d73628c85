declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http';
  import type { AddressInfo } from 'node:net';
  import type { Readable } from 'node:stream';

  /** The part that the tests use; the package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
      allowMismatchedSignatures: boolean;
    });
    httpServer: Server;
    store: { putContent(file: string, content: Readable): Promise<[size: number, md5: string]> };
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
