import { Code } from '@mantine/core';
import { useParams } from 'react-router';
import { serviceAccountTokens } from '../../api/tokens.ts';
import { useOrgHere } from '../../parts/may.ts';
import { TokenList } from './token-list.tsx';

export default function ServiceAccountPage() {
  const { org } = useOrgHere();
  const { account = '' } = useParams();
  return (
    <TokenList
      title={`API tokens of ${account}`}
      lead={
        <>
          They act as the service account: header <Code>X-API-Token</Code>.
        </>
      }
      operations={serviceAccountTokens(org.name, account)}
      access={{
        all: 'Everything that the service account may do, as its role, teams and apps are at the time.',
        viewer: 'Reads as a Viewer. Cannot change anything.',
      }}
    />
  );
}
