import { useState } from 'react';
import { type Period, useAppUsage } from '../../api/usage.ts';
import { useAppHere } from '../../parts/may.ts';
import { UsagePage } from './usage.tsx';

export default function AppUsagePage() {
  const { app, appRef } = useAppHere();
  const [period, setPeriod] = useState<Period>('Current');
  const reading = useAppUsage(appRef, period);
  return <UsagePage lead={`What ${app.display_name} uses.`} reading={reading} period={period} onPeriod={setPeriod} />;
}
