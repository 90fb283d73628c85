import { Code } from '@mantine/core';
import { myTokens } from '../../api/tokens.ts';
import { TextLink } from '../../parts/links.tsx';
import { paths } from '../../paths.ts';
import { TokenList } from './token-list.tsx';

export default function MyTokensPage() {
  return (
    <TokenList
      title="API tokens"
      lead={
        <>
          A token lets a script act as you: header <Code>X-API-Token</Code>.
        </>
      }
      operations={myTokens}
      advice={
        <>
          Only one app? An app token is safer, because it reaches nothing else:{' '}
          <TextLink to={paths.home}>choose the app</TextLink>, then Settings → API tokens. A user token is for work
          beyond one app, such as organizations or shared distribution groups.
        </>
      }
      access={{
        all: 'Everything that you may do yourself, in every app and organization, as your roles are at the time.',
        viewer: 'Reads crash data, analytics and basic app information as a Viewer. Cannot change anything.',
      }}
    />
  );
}
