import { useOrgHere } from '../../parts/may.ts';
import { AuditLog } from './audit-log.tsx';

const kinds = ['api_token', 'app', 'group', 'invitation', 'org', 'service_account', 'team'];

export default function OrgAuditPage() {
  const { org } = useOrgHere();
  return (
    <AuditLog
      lead="Every change to the organization and its apps, newest first."
      scope={{ kind: 'org', name: org.name }}
      kinds={kinds}
    />
  );
}
