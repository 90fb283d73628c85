import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

/** A complete PNG of any size, in gray or with three colors per pixel; random pixels prevent compression. */
export function png(
  width: number,
  height: number,
  pixels = Buffer.alloc((width + 1) * height),
  kind: 'grey' | 'colour' = 'grey',
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(kind === 'grey' ? 0 : 2, 9);
  const data = deflateSync(pixels);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A PNG as Apple's tools convert it: blue first, premultiplied alpha, without a zlib header. */
export function crushedPng(width: number, height: number, bgra: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.alloc(1), bgra.subarray(y * width * 4, (y + 1) * width * 4)]),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('CgBI', Buffer.from('50002002', 'hex')),
    chunk('IHDR', header),
    chunk('IDAT', deflateRawSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF with one transparent frame. */
export function gif(width: number, height: number, version = '89a'): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const rest = '80000000000000ffffff21f90401000000002c00000000010001000002024401003b';
  return Buffer.concat([Buffer.from(`GIF${version}`), size, Buffer.from(rest, 'hex')]);
}

/** The start of a JPEG: a comment, then the frame header with its size. */
export function jpeg(width: number, height: number, frame = 0xc0): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xc0, 0xff, 0xff, frame, 0, 11, 8]);
  return Buffer.concat([start, size, Buffer.from([1, 1, 0x11, 0, 0xff, 0xd9])]);
}

const riff = (name: string, data: Buffer): Buffer => {
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(12 + data.length, 0);
  sizes.writeUInt32LE(data.length, 4);
  const [size, length] = [sizes.subarray(0, 4), sizes.subarray(4)];
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from(`WEBP${name}`), length, data]);
};

/** The start of a WebP, in its three formats. */
export const webp = {
  lossy(width: number, height: number): Buffer {
    const data = Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0]);
    data.writeUInt16LE(width, 6);
    data.writeUInt16LE(height, 8);
    return riff('VP8 ', data);
  },
  lossless(width: number, height: number): Buffer {
    const data = Buffer.from([0x2f, 0, 0, 0, 0]);
    data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
    return riff('VP8L', data);
  },
  extended(width: number, height: number): Buffer {
    const data = Buffer.alloc(10);
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
    return riff('VP8X', data);
  },
};

export interface FormPart {
  field?: string;
  fileName?: string;
  type?: string;
  content: Buffer | string;
}

/** A multipart form like curl's, with its content type. */
export function createForm(...parts: FormPart[]): { type: string; body: Buffer } {
  const boundary = '------------------------d74496d66958873e';
  const chunks = parts.flatMap(({ field = 'avatar', fileName, type, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((part) => Buffer.from(part as string)));
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}
