import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { der, readDer } from './der.ts';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const OCTETS = 0x04;
const NULL = 0x05;
const OID = 0x06;
const UTC_TIME = 0x17;
/** Of a field that is told by its number. */
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

/** By whom a certificate was made, and under which number: by that it is named. */
function nameOf(certificate: X509Certificate): Buffer {
  const [whole] = readDer(certificate.raw);
  const [inner] = readDer(whole?.content ?? Buffer.alloc(0));
  const fields = readDer(inner?.content ?? Buffer.alloc(0));
  // The version comes first, if it is not the oldest.
  const [serial, , issuer] = fields[0]?.tag === NUMBERED ? fields.slice(1) : fields;
  if (!serial || !issuer) throw new RangeError('A certificate has no number and issuer.');
  return der(SEQUENCE, issuer.whole, serial.whole);
}

/** As 261117120000Z; years are two digits until 2049. */
const utcTime = (at: number): Buffer =>
  der(UTC_TIME, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));

export interface Signer {
  /** One or more certificates in PEM, that of the key first. */
  cert: string;
  /** In PEM, of RSA or an elliptic curve. */
  key: string;
}

/** A message with what it says in it, signed (CMS, RFC 5652); undefined for a kind of key that few can check. */
export function signMessage(content: Buffer, { cert, key: pem }: Signer, at: number): Buffer | undefined {
  const key = createPrivateKey(pem);
  const algorithm = { ec: ECDSA_SHA256, rsa: RSA }[String(key.asymmetricKeyType)];
  const chain = (cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );
  const [own] = chain;
  if (!algorithm || !own) return undefined;
  const digest = createHash('sha256').update(content).digest();
  // A set is written in the order of its bytes.
  const attributes = [
    attribute(CONTENT_TYPE, DATA),
    attribute(SIGNING_TIME, utcTime(at)),
    attribute(MESSAGE_DIGEST, der(OCTETS, digest)),
  ].sort(Buffer.compare);
  const one = Buffer.from([1]);
  const signer = der(
    SEQUENCE,
    der(INTEGER, one),
    nameOf(own),
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
