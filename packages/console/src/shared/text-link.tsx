import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

function InheritingAnchor(props: AnchorProps & React.ComponentPropsWithRef<'a'>) {
  return <Anchor inherit={props.size === undefined} {...props} />;
}

export const TextLink = createLink(InheritingAnchor);
