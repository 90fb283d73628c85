import { qrCode, qrPath } from '@mooring/contract';
import { useMemo } from 'react';

/** QR code of a URL: dark on white in both schemes, for scanners. */
export function QrImage({ value, label, size = 132 }: { value: string; label: string; size?: number }) {
  const drawn = useMemo(() => qrPath(qrCode(value)), [value]);
  return (
    <svg width={size} height={size} viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={label}>
      <rect width={drawn.size} height={drawn.size} fill="#fff" />
      <path d={drawn.path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
