// SPDX-License-Identifier: Apache-2.0
// window: the widgets of suzu-window without anything in them, to compare the start with: an application with a window, a
// switcher above and below, three pages, each with a list and three pages that say one thing, and a place for messages.

#include <adwaita.h>
#include <stdbool.h>

static GtkWidget *says(const char *icon, const char *title, const char *button) {
  GtkWidget *page = adw_status_page_new();
  adw_status_page_set_icon_name(ADW_STATUS_PAGE(page), icon);
  adw_status_page_set_title(ADW_STATUS_PAGE(page), title);
  if (button != NULL) {
    GtkWidget *child = gtk_button_new_with_mnemonic(button);
    gtk_widget_add_css_class(child, "pill");
    gtk_widget_add_css_class(child, "suggested-action");
    gtk_widget_set_halign(child, GTK_ALIGN_CENTER);
    adw_status_page_set_child(ADW_STATUS_PAGE(page), child);
  }
  gtk_widget_set_vexpand(page, TRUE);
  return page;
}

static GtkWidget *scrolled(GtkWidget *child) {
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), child);
  gtk_widget_set_vexpand(scroller, TRUE);
  return scroller;
}

static GtkWidget *by_day(void) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  GtkSelectionModel *rows = GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(gtk_string_list_new(NULL))));
  GtkWidget *list = gtk_list_view_new(rows, factory);
  gtk_widget_add_css_class(list, "days");
  GtkWidget *clamp = adw_clamp_scrollable_new();
  adw_clamp_scrollable_set_maximum_size(ADW_CLAMP_SCROLLABLE(clamp), 720);
  adw_clamp_scrollable_set_child(ADW_CLAMP_SCROLLABLE(clamp), list);
  return scrolled(clamp);
}

static void add(GtkWidget *stack, GtkWidget *list, const char *name, const char *icon, bool is_searched) {
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  if (is_searched) gtk_box_append(GTK_BOX(page), gtk_search_entry_new());
  GtkWidget *parts[] = {says("alarm-symbolic", "Connecting", NULL), list,
                        says("alarm-symbolic", "Nothing is here", is_searched ? NULL : "_New"),
                        says("network-offline-symbolic", "No connection", NULL)};
  for (int i = 0; i < 4; i++) {
    gtk_box_append(GTK_BOX(page), parts[i]);
    gtk_widget_set_visible(parts[i], i == 0);
  }
  AdwViewStackPage *entry = adw_view_stack_add_titled(ADW_VIEW_STACK(stack), page, name, name);
  adw_view_stack_page_set_icon_name(entry, icon);
}

static void activate(GtkApplication *application) {
  GtkWidget *window = adw_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(window), "Window");
  gtk_window_set_default_size(GTK_WINDOW(window), 640, 620);
  GtkWidget *stack = adw_view_stack_new(), *switcher = adw_view_switcher_title_new();
  GtkWidget *bar = adw_view_switcher_bar_new(), *header = adw_header_bar_new(), *overlay = adw_toast_overlay_new();
  GtkWidget *alarms = gtk_list_box_new(), *clamp = adw_clamp_new();
  adw_clamp_set_child(ADW_CLAMP(clamp), alarms);
  add(stack, by_day(), "Upcoming", "x-office-calendar-symbolic", false);
  add(stack, scrolled(clamp), "Alarms", "alarm-symbolic", false);
  add(stack, by_day(), "History", "document-open-recent-symbolic", true);
  adw_view_switcher_title_set_stack(ADW_VIEW_SWITCHER_TITLE(switcher), ADW_VIEW_STACK(stack));
  adw_view_switcher_bar_set_stack(ADW_VIEW_SWITCHER_BAR(bar), ADW_VIEW_STACK(stack));
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), switcher);
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), gtk_button_new_from_icon_name("list-add-symbolic"));
  gtk_widget_set_vexpand(stack, TRUE);
  adw_toast_overlay_set_child(ADW_TOAST_OVERLAY(overlay), stack);
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(content), header);
  gtk_box_append(GTK_BOX(content), overlay);
  gtk_box_append(GTK_BOX(content), bar);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  AdwApplication *application = adw_application_new("dev.suzu.BenchWindow", G_APPLICATION_DEFAULT_FLAGS);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), argc, argv);
}
