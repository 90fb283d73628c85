import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** CBOR of a text or of bytes with a length below 65,536. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([major + length]);
  if (length < 256) return Buffer.from([major + 24, length]);
  return Buffer.from([major + 25, length >> 8, length & 255]);
}
const cborText = (text: string) => Buffer.concat([head(0x60, text.length), Buffer.from(text)]);
const cborBytes = (bytes: Buffer) => Buffer.concat([head(0x40, bytes.length), bytes]);

interface Overrides {
  origin?: string;
  rpId?: string;
  flags?: number;
  count?: number;
  type?: string;
  challenge?: string;
  userHandle?: string | undefined;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator with one ES256 credential, which tests can make misbehave. */
export function createPasskeyDevice({ origin = 'https://localhost:8443', rpId = 'localhost' } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let handle = '';
  let count = 0;

  const toClientData = (type: string, challenge: string, over: Overrides) =>
    Buffer.from(
      JSON.stringify({
        type: over.type ?? type,
        challenge: over.challenge ?? challenge,
        origin: over.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const toAuthenticatorData = (flags: number, over: Overrides) => {
    count += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(over.count ?? count);
    return Buffer.concat([sha256(over.rpId ?? rpId), Buffer.from([over.flags ?? flags]), counter]);
  };

  return {
    id: toText(id),
    /** Responds to `navigator.credentials.create()`. */
    create(options: { challenge: string; user: { id: string } }, over: Overrides = {}) {
      handle = options.user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        cborBytes(Buffer.from(x, 'base64url')),
        Buffer.from([0x22]),
        cborBytes(Buffer.from(y, 'base64url')),
      ]);
      const data = Buffer.concat([
        toAuthenticatorData(PRESENT | VERIFIED | HAS_CREDENTIAL, over),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ]);
      return {
        id: toText(id),
        rawId: toText(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toText(toClientData('webauthn.create', options.challenge, over)),
          attestationObject: toText(attestation),
          transports: ['internal'],
        },
      };
    },
    /** Responds to `navigator.credentials.get()`. */
    get(options: { challenge: string }, over: Overrides = {}) {
      const clientData = toClientData('webauthn.get', options.challenge, over);
      const data = toAuthenticatorData(PRESENT | VERIFIED, over);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(clientData)]))
        .sign(privateKey);
      const userHandle = 'userHandle' in over ? over.userHandle : handle;
      return {
        id: toText(id),
        rawId: toText(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toText(clientData),
          authenticatorData: toText(data),
          signature: toText(signature),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}
