import path from 'node:path';

export interface TlsFolder {
  caFile: string;
  caKeyFile: string;
  certFile: string;
  keyFile: string;
}

/** The files of the local authority in the data folder, whether they are there or not. */
export function tlsFolder(dataDir: string): TlsFolder {
  const at = (name: string) => path.join(dataDir, 'tls', name);
  return { caFile: at('ca.crt'), caKeyFile: at('ca.key'), certFile: at('server.crt'), keyFile: at('server.key') };
}

interface CertificateSettings {
  dataDir: string;
  tlsCertFile: string | undefined;
  tlsKeyFile: string | undefined;
}

/** What this server shows to its clients: the operator's certificate, or the one of the local authority. */
export const certificateFiles = ({ dataDir, tlsCertFile, tlsKeyFile }: CertificateSettings) =>
  tlsCertFile && tlsKeyFile ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : tlsFolder(dataDir);
