import path from 'node:path';

export interface TlsFolder {
  caFile: string;
  caKeyFile: string;
  certFile: string;
  keyFile: string;
}

/** Paths of the local authority's files in the data folder, which may not exist yet. */
export function tlsFolder(dataDir: string): TlsFolder {
  const at = (name: string) => path.join(dataDir, 'tls', name);
  return { caFile: at('ca.crt'), caKeyFile: at('ca.key'), certFile: at('server.crt'), keyFile: at('server.key') };
}

interface CertificateSettings {
  dataDir: string;
  tlsCertFile: string | undefined;
  tlsKeyFile: string | undefined;
}

/** The certificate of this server: the operator's, or one of the local authority. */
export const certificateFiles = ({ dataDir, tlsCertFile, tlsKeyFile }: CertificateSettings) =>
  tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : tlsFolder(dataDir);
