// Sets the theme before anything is painted; a classic script in <head> for that reason. Keeps nothing but the word.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's theme holds.
}
