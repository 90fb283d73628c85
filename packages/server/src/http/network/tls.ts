import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { DAY, toIso } from '../../kernel/clock.ts';
import { exclusively } from '../../kernel/concurrency/file-lock.ts';
import { type TlsFolder, tlsFolder } from '../../kernel/crypto/certificate-files.ts';
import { NAME_CONSTRAINTS, permitOnly, permits } from './name-constraints.ts';

export interface TlsFiles {
  cert: string;
  key: string;
  /** The authority that clients must trust; undefined with the operator's own certificate. */
  caFile: string | undefined;
}

const AUTHORITY_DAYS = 730;
/** Clients have half a year to install the renewed one; the previous one is valid until then. */
const RENEW_AUTHORITY_DAYS = 180;
const CERTIFICATE_DAYS = 90;
const RENEW_DAYS = 30;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loads the library after the polyfill it needs. Most starts need neither. */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function write(file: string, text: string, mode: number): void {
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  renameSync(`${file}.new`, file);
}

const pem = (label: string, der: ArrayBuffer): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};

const exportKey = async (key: CryptoKey): Promise<string> =>
  pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', key));

const importKey = (file: string): Promise<CryptoKey> => {
  const bytes = Buffer.from(readFileSync(file, 'utf8').replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
};

/** Creates an authority, or renews one with the same name and key, so that its certificates are valid under both. */
async function makeAuthority(folder: TlsFolder, hosts: string[], now: number, isRenewal: boolean): Promise<void> {
  const x509 = await loadX509();
  const before = isRenewal ? new x509.X509Certificate(readFileSync(folder.caFile, 'utf8')) : undefined;
  const keys = before
    ? { publicKey: await before.publicKey.export(), privateKey: await importKey(folder.caKeyFile) }
    : await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = before?.subject ?? `CN=Mooring local authority ${toIso(now).slice(0, 10)}`;
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension(NAME_CONSTRAINTS, true, permitOnly(hosts)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  if (!before) write(folder.caKeyFile, await exportKey(keys.privateKey), 0o600);
  write(folder.caFile, authority.toString('pem'), 0o644);
}

async function makeCertificate(folder: TlsFolder, hosts: string[], now: number): Promise<void> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(readFileSync(folder.caFile, 'utf8'));
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Mooring',
    issuer: authority.subject,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + CERTIFICATE_DAYS * DAY),
    publicKey: keys.publicKey,
    signingKey: await importKey(folder.caKeyFile),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) ? ('ip' as const) : ('dns' as const), value: host })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority, false),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  write(folder.keyFile, await exportKey(keys.privateKey), 0o600);
  write(folder.certFile, certificate.toString('pem'), 0o644);
}

/** Decides if the authority must be created or renewed, with a notice for the operator. */
function authorityNeeds({ caFile, caKeyFile }: TlsFolder, hosts: string[], now: number) {
  if (!existsSync(caFile) || !existsSync(caKeyFile)) return { isRenewal: false, notice: undefined };
  const { raw, validTo } = new X509Certificate(readFileSync(caFile));
  const end = Date.parse(validTo);
  if (!permits(raw, hosts)) {
    const notice = `created a new local authority limited to ${hosts.join(', ')}: clients must trust ${caFile} again`;
    return { isRenewal: false, notice };
  }
  if (end < now) {
    return {
      isRenewal: false,
      notice: `replaced the expired local authority: clients must trust ${caFile} again`,
    };
  }
  if (end > now + RENEW_AUTHORITY_DAYS * DAY) return undefined;
  const notice = `renewed the local authority: install the new ${caFile} on clients before ${toIso(end).slice(0, 10)}`;
  return { isRenewal: true, notice };
}

function isCertificateGood(folder: TlsFolder, hosts: string[], now: number): boolean {
  if (!existsSync(folder.certFile) || !existsSync(folder.keyFile)) return false;
  const certificate = new X509Certificate(readFileSync(folder.certFile));
  const covers = (host: string) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  const authority = new X509Certificate(readFileSync(folder.caFile));
  return (
    Date.parse(certificate.validTo) > now + RENEW_DAYS * DAY &&
    hosts.every(covers) &&
    certificate.checkIssued(authority) &&
    certificate.checkPrivateKey(createPrivateKey(readFileSync(folder.keyFile)))
  );
}

/** Certificate for these hosts by the local authority in the data folder; created or renewed if necessary. */
export async function localCertificate(
  dataDir: string,
  hosts: string[],
  now: number,
  onWarning: (message: string) => void = () => undefined,
): Promise<TlsFiles> {
  const dir = path.join(dataDir, 'tls');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const waiting = { doing: 'creating a certificate', onWait: onWarning };
  return exclusively(path.join(dir, 'certificates-lock'), waiting, async () => {
    const folder = tlsFolder(dataDir);
    const needs = authorityNeeds(folder, hosts, now);
    if (needs) await makeAuthority(folder, hosts, now, needs.isRenewal);
    if (needs?.notice) onWarning(needs.notice);
    if (needs || !isCertificateGood(folder, hosts, now)) await makeCertificate(folder, hosts, now);
    return {
      cert: readFileSync(folder.certFile, 'utf8'),
      key: readFileSync(folder.keyFile, 'utf8'),
      caFile: folder.caFile,
    };
  });
}

export const ownCertificate = (certFile: string, keyFile: string): TlsFiles => ({
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
  caFile: undefined,
});

/** Names and IP addresses that the certificate must cover. */
export function hostsFor(publicUrl: string | undefined, host: string): string[] {
  const own = ['localhost', '127.0.0.1', '::1'];
  const named = publicUrl ? [new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')] : [];
  const bound = isIP(host) && host !== '0.0.0.0' && host !== '::' ? [host] : [];
  return [...new Set([...own, ...named, ...bound])];
}
