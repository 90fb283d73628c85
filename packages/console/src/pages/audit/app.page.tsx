import { useCurrentApp } from '../../context/permissions.ts';
import { AuditLog } from './audit-log.tsx';

const kinds = ['api_token', 'app', 'group', 'invitation', 'release', 'team'];

export default function AppAuditPage() {
  const { appRef } = useCurrentApp();
  return (
    <AuditLog description="Every change to the app, newest first." scope={{ kind: 'app', appRef }} kinds={kinds} />
  );
}
