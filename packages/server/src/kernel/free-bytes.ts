/**
 * Gives the memory of bytes back at once, of which nobody else has any part. Left to the collector, some tens of megabytes of it
 * make it look through everything that the server remembers, again and again while a large file passes.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
