/** Accepted image types by file extension. */
export const imageTypes = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
export type ImageKind = keyof typeof imageTypes;

export interface Image {
  kind: ImageKind;
  width: number;
  height: number;
}

type Size = Omit<Image, 'kind'>;

const text = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

function readPng(bytes: Buffer): Size | undefined {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 16) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): Size | undefined {
  if (!/^GIF8[79]a$/.test(text(bytes, 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Markers C0 to CF start a frame, except C4, C8 and CC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Skips segments up to the first frame, which has the size. */
function readJpeg(bytes: Buffer): Size | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    // Markers may be padded with FF.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): Size | undefined {
  if (text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 12) !== 'WEBP') return undefined;
  switch (text(bytes, 12, 16)) {
    case 'VP8 ':
      if (text(bytes, 23, 26) !== '\x9d\x01\x2a') return undefined;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const sizes = bytes.readUInt32LE(21);
      return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const readers: Record<ImageKind, (bytes: Buffer) => Size | undefined> = {
  png: readPng,
  jpg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** Detects the type by the first bytes, regardless of the declared type; undefined if the file is no known image. */
export function readImage(bytes: Buffer): Image | undefined {
  for (const [kind, read] of Object.entries(readers) as [ImageKind, (typeof readers)[ImageKind]][]) {
    try {
      const size = read(bytes);
      if (size && size.width > 0 && size.height > 0) return { kind, ...size };
    } catch (error) {
      // The file ends before its size.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}
