import { Code } from '@mantine/core';
import { myTokens } from '../../api/account/tokens.ts';
import { TextLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { TokenList } from './token-list.tsx';

export default function MyTokensPage() {
  return (
    <TokenList
      title="API tokens"
      description={
        <>
          Tokens let scripts act as you. Send them in the header <Code>X-API-Token</Code>.
        </>
      }
      operations={myTokens}
      hasApps
      advice={
        <>
          For a single app, an app token is safer: <TextLink to={paths.home}>choose the app</TextLink>, then Settings →
          API tokens. Use a user token for several apps, organizations or shared distribution groups.
        </>
      }
      access={{
        all: 'Your current permissions in all apps and organizations.',
        viewer: 'Reads crash data, analytics and basic app information as a Viewer.',
      }}
    />
  );
}
