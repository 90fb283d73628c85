const KIB = 1024;
const MIB = KIB * KIB;
const GIB = KIB * MIB;

export function formatSize(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / KIB).toLocaleString()} KB`;
  return bytes < GIB ? `${(bytes / MIB).toFixed(1)} MB` : `${(bytes / GIB).toFixed(2)} GB`;
}
