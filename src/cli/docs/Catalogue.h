// The content of the site: every operation with its page, and the families they belong to.
#ifndef NDFORGE_SRC_CLI_DOCS_CATALOGUE_H
#define NDFORGE_SRC_CLI_DOCS_CATALOGUE_H

#include <map>
#include <string>
#include <vector>

#include "cli/Custom.h"

namespace sd::cli::docs {

/// One operation, custom or numbered.
struct Item {
  std::string name;  ///< for numbered operations with the family: "pairwise.Add"
  ops::DeclarableOp* op = nullptr;
  const ops::OpDescriptor* descriptor = nullptr;
  const loops::NumberedOp* numbered = nullptr;  ///< nullptr for custom ones
  std::vector<std::string> aliases;
  std::vector<std::string> words;      ///< synonyms that a search should find it by
  std::vector<std::string> elsewhere;  ///< names in other libraries: "numpy.sum", "Relu"
  std::string family;                  ///< "convo", "PAIRWISE_TRANSFORM"
  std::string page;                    ///< "op/gather.html"
  std::string library;  ///< the file name of the loaded library that has it; empty for NDForge's operations

  std::string summary() const;
  std::string formula() const;
  /// A one-line description: the summary, or the formula of a numbered operation.
  std::string line() const;
};

struct Family {
  std::string name;
  std::string summary;
  std::string page;
  bool numbered = false;
  std::vector<const Item*> items;  ///< ordered by name, numbered operations by number
};

class Catalogue {
 public:
  /// Lists all operations that are registered at this moment.
  Catalogue();
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  const std::vector<Item>& items() const { return _items; }
  const std::vector<Family>& families() const { return _families; }
  size_t customCount() const { return _customs; }

  const Family& familyOf(const Item& item) const;
  const Item& item(const ops::DeclarableOp& op) const { return *_byOp.at(&op); }
  const Item& item(const loops::NumberedOp& op) const;
  /// The operation with this name or alias; nullptr when there is none.
  const Item* find(const std::string& name) const;

 private:
  std::vector<Item> _items;
  std::vector<Family> _families;
  size_t _customs = 0;
  std::map<const ops::DeclarableOp*, const Item*> _byOp;
  std::map<std::string, const Item*> _byName;

  void addCustom();
  void addNumbered();
  void addSearchTerms();
  void addPages();
  void addFamilies();
};

}  // namespace sd::cli::docs

#endif
