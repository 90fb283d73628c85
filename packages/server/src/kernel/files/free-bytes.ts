/**
 * Frees the memory of bytes immediately; no other code may use them. Left to the garbage collector, some tens of
 * megabytes make it scan all memory of the server again and again while a large file passes.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
