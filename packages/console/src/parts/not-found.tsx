import { FrontPage } from './front-page.tsx';
import { ButtonLink } from './links.tsx';

export function NotFound() {
  return (
    <FrontPage
      title="Nothing is moored here"
      lead="This address does not exist. It may be misspelt, or the page has moved."
    >
      <ButtonLink to="/">Go to the home page</ButtonLink>
    </FrontPage>
  );
}
