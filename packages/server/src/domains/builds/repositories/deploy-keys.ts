import { generateKeyPairSync, randomBytes } from 'node:crypto';

const TYPE = 'ssh-ed25519';

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** A string as in RFC 4251: length, then content. */
const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
};

export interface DeployKey {
  /** In the OpenSSH format, which all versions of OpenSSH can read. */
  privateKey: string;
  /** One line, to add at the host. */
  publicKey: string;
}

/** Creates a key for one repository. PROTOCOL.key of OpenSSH describes the format. */
export function makeDeployKey(comment: string): DeployKey {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const [open, secret] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  const publicPart = Buffer.concat([text(TYPE), text(open)]);
  const check = randomBytes(4);
  const privatePart = Buffer.concat([
    ...[check, check, text(TYPE), text(open)],
    ...[text(Buffer.concat([secret, open])), text(comment)],
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (privatePart.length % 8)) % 8 }, (_, at) => at + 1));
  const whole = Buffer.concat([
    ...[Buffer.from('openssh-key-v1\0'), text('none'), text('none'), text(''), number(1)],
    ...[text(publicPart), text(Buffer.concat([privatePart, padding]))],
  ]);
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    privateKey: ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n'),
    publicKey: `${TYPE} ${publicPart.toString('base64')} ${comment}`,
  };
}
