import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { der, readDer } from './der.ts';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const OCTETS = 0x04;
const NULL = 0x05;
const OID = 0x06;
const UTC_TIME = 0x17;
/** Tag of a field that is identified by its number. */
const NUMBERED = 0xa0;

const oid = (hex: string): Buffer => der(OID, Buffer.from(hex, 'hex'));
const DATA = oid('2a864886f70d010701');
const SIGNED_DATA = oid('2a864886f70d010702');
const CONTENT_TYPE = oid('2a864886f70d010903');
const MESSAGE_DIGEST = oid('2a864886f70d010904');
const SIGNING_TIME = oid('2a864886f70d010905');
const SHA256 = der(SEQUENCE, oid('608648016503040201'));
const ECDSA_SHA256 = der(SEQUENCE, oid('2a8648ce3d040302'));
const RSA = der(SEQUENCE, oid('2a864886f70d010101'), der(NULL));

const attribute = (type: Buffer, value: Buffer): Buffer => der(SEQUENCE, type, der(SET, value));

/** The issuer and serial number, which identify a certificate. */
function readIssuer(certificate: X509Certificate): Buffer {
  const [whole] = readDer(certificate.raw);
  const [inner] = readDer(whole?.content ?? Buffer.alloc(0));
  const fields = readDer(inner?.content ?? Buffer.alloc(0));
  // The version comes first, unless it is the oldest.
  const [serial, , issuer] = fields[0]?.tag === NUMBERED ? fields.slice(1) : fields;
  if (!serial || !issuer) throw new RangeError('The certificate has no serial number or issuer.');
  return der(SEQUENCE, issuer.whole, serial.whole);
}

/** Format 261117120000Z; years have two digits until 2049. */
const utcTime = (at: number): Buffer =>
  der(UTC_TIME, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));

export interface Signer {
  /** One or more certificates in PEM; the first belongs to the key. */
  cert: string;
  /** In PEM: RSA or an elliptic curve. */
  key: string;
}

/**
 * A signed message that contains its content (CMS, RFC 5652). Undefined for kinds of keys that few programs can verify.
 */
export function signMessage(content: Buffer, { cert, key: pem }: Signer, at: number): Buffer | undefined {
  const key = createPrivateKey(pem);
  const algorithm = { ec: ECDSA_SHA256, rsa: RSA }[String(key.asymmetricKeyType)];
  const chain = (cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );
  const [own] = chain;
  if (!algorithm || !own) return undefined;
  const digest = createHash('sha256').update(content).digest();
  // DER sorts a set by the bytes of its members.
  const attributes = [
    attribute(CONTENT_TYPE, DATA),
    attribute(SIGNING_TIME, utcTime(at)),
    attribute(MESSAGE_DIGEST, der(OCTETS, digest)),
  ].sort(Buffer.compare);
  const one = Buffer.from([1]);
  const signer = der(
    SEQUENCE,
    der(INTEGER, one),
    readIssuer(own),
    SHA256,
    der(NUMBERED, ...attributes),
    algorithm,
    der(OCTETS, sign('sha256', der(SET, ...attributes), key)),
  );
  const signed = der(
    SEQUENCE,
    der(INTEGER, one),
    der(SET, SHA256),
    der(SEQUENCE, DATA, der(NUMBERED, der(OCTETS, content))),
    der(NUMBERED, ...chain.map(({ raw }) => raw)),
    der(SET, signer),
  );
  return der(SEQUENCE, SIGNED_DATA, der(NUMBERED, signed));
}
