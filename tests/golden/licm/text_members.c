// options: --licm-loads=proven
// A text that moves a pointer to a struct moves its members along.
struct link;
unsigned along(struct link *at, unsigned m);

struct link {
  struct link *next;
  unsigned n;
};
struct link first_link;
struct link second_link;

unsigned text_members(unsigned n, unsigned m)
{
  first_link.next = &second_link;
  first_link.n = n;
  second_link.n = m;
  return along(&first_link, m);
}

unsigned along(struct link *at, unsigned m)
{
  unsigned sum = 0;
  do {
    sum = sum * 5u + at->n * 3u + m * 3u;
  } while ((at = at->next));
  return sum;
}
