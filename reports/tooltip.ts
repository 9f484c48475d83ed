import { element, styled } from './elements.ts';

type Notes = (target: Element, make: () => readonly (Node | string)[]) => void;

let notes: Notes | undefined;

/** The page's only note; every call returns the same. */
export function openNotes(): Notes {
  notes ??= makeNotes();
  return notes;
}

/**
 * One note for all that can be pointed at: it follows hovering and focus, stays while it is pointed at itself, and Escape
 * takes it away.
 */
function makeNotes(): Notes {
  const note = element('div', { class: 'note', role: 'tooltip', id: 'note', hidden: true });
  document.body.append(note);
  let shown: Element | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    note.hidden = true;
    shown?.removeAttribute('aria-describedby');
    shown = undefined;
  };
  const hideSoon = () => {
    leaving = setTimeout(hide, 150);
  };
  note.addEventListener('pointerenter', () => clearTimeout(leaving));
  note.addEventListener('pointerleave', hideSoon);
  addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
  const follow = () => {
    // The focus may have scrolled the page itself: the note of what has it stays with it.
    if (shown && shown === document.activeElement) place(note, shown.getBoundingClientRect());
    else hide();
  };
  addEventListener('scroll', follow, { passive: true, capture: true });
  // What it is about may have been drawn anew meanwhile.
  addEventListener('pointermove', () => shown?.isConnected === false && hide(), { passive: true });
  return (target, make) => {
    const show = () => {
      clearTimeout(leaving);
      note.replaceChildren(...make());
      note.hidden = false;
      shown?.removeAttribute('aria-describedby');
      shown = target;
      target.setAttribute('aria-describedby', 'note');
      place(note, target.getBoundingClientRect());
    };
    target.addEventListener('pointerenter', show);
    target.addEventListener('focus', show);
    target.addEventListener('pointerleave', hideSoon);
    target.addEventListener('blur', hideSoon);
  };
}

/** Places a note below what it is about, or above where there is no room. */
function place(note: HTMLElement, target: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = note;
  const left = Math.max(
    8,
    Math.min(target.left + target.width / 2 - width / 2, document.documentElement.clientWidth - width - 8),
  );
  const below = target.bottom + 6;
  const top = below + height < innerHeight ? below : Math.max(8, target.top - height - 6);
  styled(note, { left: `${left}px`, top: `${top}px` });
}
