export interface EncodedFrame {
  /** Milliseconds since the first frame. */
  at: number;
  isKey: boolean;
  bytes: Buffer;
}

/** Times in a cluster have 16 bits. */
const MAX_CLUSTER_MS = 30_000;

const encodeId = (id: number): Buffer => {
  const hex = id.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
};

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(Math.round(value)));
  return bytes;
}

/** Sizes always have eight bytes, so that positions can be computed in advance. */
function element(id: number, ...content: Buffer[]): Buffer {
  const size = bigEndian(content.reduce((sum, { length }) => sum + length, 0));
  size[0] = 1;
  return Buffer.concat([encodeId(id), size, ...content]);
}

const uint = (id: number, value: number): Buffer => element(id, bigEndian(value));
const text = (id: number, value: string): Buffer => element(id, Buffer.from(value));
function float(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

const head = (): Buffer =>
  element(
    0x1a45dfa3,
    ...[uint(0x4286, 1), uint(0x42f7, 1), uint(0x42f2, 4), uint(0x42f3, 8)],
    ...[text(0x4282, 'webm'), uint(0x4287, 2), uint(0x4285, 2)],
  );

function block({ at, isKey, bytes }: EncodedFrame, start: number): Buffer {
  const place = Buffer.alloc(4);
  place[0] = 0x81;
  place.writeInt16BE(at - start, 1);
  place[3] = isKey ? 0x80 : 0;
  return element(0xa3, place, bytes);
}

/** Each cluster starts with a key frame, so that players can seek to it. */
function toClusters(frames: readonly EncodedFrame[]): EncodedFrame[][] {
  const clusters: EncodedFrame[][] = [];
  for (const frame of frames) {
    const last = clusters.at(-1);
    const start = last?.[0]?.at ?? 0;
    if (!last || frame.isKey || frame.at - start > MAX_CLUSTER_MS) clusters.push([frame]);
    else last.push(frame);
  }
  return clusters;
}

/** Writes VP8 frames to a WebM container. */
export function writeWebm(
  frames: readonly EncodedFrame[],
  { width, height }: { width: number; height: number },
): Buffer {
  const info = element(
    0x1549a966,
    ...[uint(0x2ad7b1, 1_000_000), float(0x4489, frames.at(-1)?.at ?? 0)],
    ...[text(0x4d80, 'Mooring'), text(0x5741, 'Mooring')],
  );
  const video = element(0xe0, uint(0xb0, width), uint(0xba, height));
  const track = [uint(0xd7, 1), uint(0x73c5, 1), uint(0x83, 1), uint(0x9c, 0), text(0x86, 'V_VP8'), video];
  const tracks = element(0x1654ae6b, element(0xae, ...track));
  const clusters = toClusters(frames).map((own) => {
    const start = own[0]?.at ?? 0;
    return { start, bytes: element(0x1f43b675, uint(0xe7, start), ...own.map((frame) => block(frame, start))) };
  });
  const cuesFrom = (place: number): Buffer => {
    let at = place;
    const points = clusters.map(({ start, bytes }) => {
      const point = element(0xbb, uint(0xb3, start), element(0xb7, uint(0xf7, 1), uint(0xf1, at)));
      at += bytes.length;
      return point;
    });
    return element(0x1c53bb6b, ...points);
  };
  const before = info.length + tracks.length;
  const cues = cuesFrom(before + cuesFrom(0).length);
  return Buffer.concat([head(), element(0x18538067, info, tracks, cues, ...clusters.map(({ bytes }) => bytes))]);
}
