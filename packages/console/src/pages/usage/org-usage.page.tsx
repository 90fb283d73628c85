import { useState } from 'react';
import { type Period, useOrgUsage } from '../../api/usage.ts';
import { useOrgHere } from '../../parts/may.ts';
import { UsagePage } from './usage.tsx';

export default function OrgUsagePage() {
  const { org } = useOrgHere();
  const [period, setPeriod] = useState<Period>('Current');
  const reading = useOrgUsage(org.name, period);
  return (
    <UsagePage lead="What the apps of this organization use." reading={reading} period={period} onPeriod={setPeriod} />
  );
}
